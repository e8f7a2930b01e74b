import { pay } from '../../../pay.js'

const answer = async (request) => (await pay()).fetch(request)
export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
