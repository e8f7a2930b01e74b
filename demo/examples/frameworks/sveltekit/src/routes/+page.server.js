import { createOrder } from '$lib/server/orders.js'

export const load = () => ({ order: createOrder() })
