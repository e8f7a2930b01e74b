import { error } from '@sveltejs/kit'
import { findOrder } from '../../../lib/orders.js'

export const load = ({ params }) => findOrder(params.order) ?? error(404)
