import { redirect } from '@sveltejs/kit'
import { createOrder } from '../lib/orders.js'

// The order is made once, when the shopper presses the button, and never by rendering a page.
export const actions = { default: () => redirect(303, `/order/${createOrder()}`) }
