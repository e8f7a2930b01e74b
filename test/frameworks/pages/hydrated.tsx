/** @jsxImportSource react */

import { StrictMode, useEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { basket } from './basket.ts'
import type { CheckoutEvent, GatewayCheckout } from 'gateway-checkout'
import type {} from 'gateway-checkout/react'

function Basket() {
  const [thanks, setThanks] = useState('')

  // Until hydration ends, the markup must be equal to the server's, so the element is defined later.
  useEffect(() => void import('gateway-checkout/define'), [])

  // React 19 does not attach `oncheckout-paid` when it hydrates server-rendered markup.
  function listen(tag: GatewayCheckout | null) {
    const thank = ({ detail }: CheckoutEvent) => setThanks(`Thank you for ${detail.order}`)
    tag?.addEventListener('checkout-paid', thank)
    return () => tag?.removeEventListener('checkout-paid', thank)
  }

  return (
    <>
      <gateway-checkout
        ref={listen}
        order={basket.order}
        server={basket.server}
        payer-name="Asha Mwangi"
        payer-email="asha@example.com"
        payer-msisdn="+254700000001"
        launch="popup"
      >
        <p>Pay at the counter.</p>
      </gateway-checkout>
      <output>{thanks}</output>
    </>
  )
}

const page = document.querySelector('#page')
const rendered = (
  <StrictMode>
    <Basket />
  </StrictMode>
)
if (page) {
  page.innerHTML = renderToString(rendered)
  hydrateRoot(page, rendered)
}
