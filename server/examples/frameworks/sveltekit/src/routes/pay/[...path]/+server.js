import { pay } from '../../../lib/pay.js'

export const fallback = async ({ request }) => (await pay()).fetch(request)
