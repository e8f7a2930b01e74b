import 'gateway-checkout'
import 'gateway-checkout/define'
import { GatewayCheckout } from 'gateway-checkout/react'
import { createElement } from 'react'
import { renderToString as renderReact } from 'react-dom/server'
import { createSSRApp, h } from 'vue'
import { renderToString as renderVue } from 'vue/server-renderer'

const attributes = { order: 'A-1', 'payer-name': 'Asha Mwangi', required: true, disabled: false }
const listener = () => {}

console.log(
  JSON.stringify({
    hasDom: typeof document !== 'undefined',
    react: renderReact(
      createElement(
        'gateway-checkout',
        { ...attributes, 'oncheckout-paid': listener },
        'Pay at the counter.',
      ),
    ),
    component: renderReact(
      createElement(
        GatewayCheckout,
        { order: 'A-1', payerName: 'Asha Mwangi', required: true, disabled: false, onPaid: listener },
        'Pay at the counter.',
      ),
    ),
    vue: await renderVue(
      createSSRApp({
        render: () =>
          h('gateway-checkout', { ...attributes, onCheckoutPaid: listener }, 'Pay at the counter.'),
      }),
    ),
  }),
)
