import 'gateway-checkout/define'

const tag = document.querySelector('gateway-checkout')
tag.addEventListener('checkout-paid', () => (document.querySelector('#thanks').hidden = false))

const { order } = await (await fetch('/order', { method: 'POST' })).json()
tag.order = order
