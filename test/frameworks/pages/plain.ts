import 'gateway-checkout/define'
import { basket } from './basket.ts'

const tag = document.querySelector('gateway-checkout')
const output = document.querySelector('output')

tag?.setAttribute('order', basket.order)
tag?.setAttribute('server', basket.server)
tag?.addEventListener('checkout-paid', ({ detail }) => {
  if (output) output.textContent = `Thank you for ${detail.order}`
})
