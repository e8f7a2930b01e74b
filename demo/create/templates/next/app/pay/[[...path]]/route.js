import { pay } from '../../../pay.mjs'

// Next sets the header where no proxy has. The last address is that of the client, or of a proxy in TRUSTED_PROXIES.
const addressOf = (request) => request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
const answer = async (request) => (await pay()).fetch(request, { address: addressOf(request) })
export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
