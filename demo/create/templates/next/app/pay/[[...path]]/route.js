import { pay } from '../../../pay.mjs'

export const dynamic = 'force-dynamic'

const answer = async (request) => (await pay()).fetch(request)
export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
