// SvelteKit calls init() once when its server starts, before the first request: the workers start here.
import { building } from '$app/environment'
import { pay } from '$lib/server/pay.js'

export async function init() {
  if (!building) await pay()
}
