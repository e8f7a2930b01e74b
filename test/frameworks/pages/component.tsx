/** @jsxImportSource react */

import { GatewayCheckout } from 'gateway-checkout/react'
import { StrictMode, useState } from 'react'

export function Basket() {
  const [thanks, setThanks] = useState('')
  const [heard, setHeard] = useState<string[]>([])
  const hear = ({ type }: Event) => setHeard((before) => [...before, type.replace('checkout-', '')])

  return (
    <StrictMode>
      <GatewayCheckout
        className="pay"
        order="order-1"
        server="https://pay.shop.test"
        payerName="Asha Mwangi"
        payerEmail="asha@example.com"
        payerMsisdn="+254700000001"
        launch="popup"
        required
        disabled={false}
        words={{ en: { pay: 'Pay for the kangas' } }}
        onOpen={hear}
        onChange={hear}
        onPaid={(event) => {
          hear(event)
          setThanks(`Thank you for ${event.detail.order}`)
        }}
        onSettled={hear}
      >
        <p>Pay at the counter.</p>
      </GatewayCheckout>
      <output>{thanks}</output>
      <p id="heard">{heard.join(' ')}</p>
    </StrictMode>
  )
}
