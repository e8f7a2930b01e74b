import 'gateway-checkout/define'

const tag = document.querySelector('gateway-checkout')
tag.addEventListener('checkout-paid', () => (document.querySelector('#thanks').hidden = false))

const order = new URLSearchParams(location.search).get('order')
if (order) {
  document.querySelector('form').hidden = true
  tag.order = order
  tag.hidden = false
}
