import { pay } from './lib/pay.js'

/** SvelteKit calls this when its server starts, before the first request: the workers start here. */
export async function init() {
  const server = await pay()
  process.once('sveltekit:shutdown', () => void server.stop())
}
