import { pay } from '../../../pay.mjs'

const answer = async (request) => (await pay()).fetch(request)
export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
