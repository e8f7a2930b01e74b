import { pay } from '../../../pay.mjs'

async function answer(request) {
  const server = await pay()
  return server.fetch(request, { address: addressOf(request) })
}

// Next sets the header where no proxy has. The last address is that of the client, or of a proxy in TRUSTED_PROXIES.
function addressOf(request) {
  const addresses = request.headers.get('x-forwarded-for')?.split(',')
  return addresses?.at(-1)?.trim()
}

export { answer as GET, answer as HEAD, answer as OPTIONS, answer as POST }
