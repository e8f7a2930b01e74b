import 'gateway-checkout/define'

export default defineNuxtPlugin(() => {})
