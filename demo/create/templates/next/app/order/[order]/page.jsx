import { notFound } from 'next/navigation'

import { findOrder } from '../../../orders.mjs'

export default async function Page({ params }) {
  const { order } = await params
  if (!findOrder(order)) {
    notFound()
  }

  return (
    <main>
      <h1>Two kangas</h1>
      <p>KES 1,500. Order {order}.</p>
      <script type="module" async src="/pay/gateway-checkout.js"></script>
      <gateway-checkout server="/pay" order={order} methods={process.env.MERCHANT_METHODS}></gateway-checkout>
    </main>
  )
}
