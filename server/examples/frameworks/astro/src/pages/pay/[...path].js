import { pay } from '../../pay.js'

export const ALL = ({ request }) => pay.fetch(request)
