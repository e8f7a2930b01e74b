import { pay } from '$lib/server/pay.js'

export const fallback = async ({ request }) => (await pay()).fetch(request)
