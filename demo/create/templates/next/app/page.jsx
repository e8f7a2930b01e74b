import { createOrder } from '../orders.mjs'

export const dynamic = 'force-dynamic'

export default function Page() {
  const order = createOrder()
  return (
    <main>
      <h1>Two kangas</h1>
      <p>KES 1,500. Order {order}.</p>
      <script type="module" async src="/pay/gateway-checkout.js"></script>
      <gateway-checkout server="/pay" order={order}></gateway-checkout>
    </main>
  )
}
