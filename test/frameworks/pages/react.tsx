/** @jsxImportSource react */

import 'gateway-checkout/define'
import { StrictMode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { basket } from './basket.ts'
import type { GatewayCheckout } from 'gateway-checkout'
import type {} from 'gateway-checkout/react'

function Basket() {
  const tag = useRef<GatewayCheckout>(null)
  const [thanks, setThanks] = useState('')

  useEffect(() => {
    performance.mark('mounted')
    const checkout = tag.current
    if (basket.begins) checkout?.start()
    return () => checkout?.reset()
  }, [])

  return (
    <>
      <gateway-checkout
        ref={tag}
        order={basket.order}
        server={basket.server}
        payer-name="Asha Mwangi"
        payer-email="asha@example.com"
        payer-msisdn="+254700000001"
        launch="popup"
        oncheckout-paid={({ detail }) => setThanks(`Thank you for ${detail.order}`)}
      >
        <p>Pay at the counter.</p>
      </gateway-checkout>
      <output>{thanks}</output>
    </>
  )
}

const page = document.querySelector('#page')
if (page)
  createRoot(page).render(
    <StrictMode>
      <Basket />
    </StrictMode>,
  )
