'use client'

import { useState } from 'react'
import { GatewayCheckout } from 'gateway-checkout/react'

export function Checkout({ order }) {
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <GatewayCheckout server="/pay" order={order} onPaid={() => setPaid(true)} />
      {isPaid && <p>Thank you for your order.</p>}
    </>
  )
}
