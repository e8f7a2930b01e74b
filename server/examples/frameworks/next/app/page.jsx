import { createOrder } from '../orders.js'
import { Checkout } from './checkout.jsx'

// An order for each visit, not one for all that was made by the build.
export const dynamic = 'force-dynamic'

export default function Page() {
  return (
    <main>
      <h1>Two kangas</h1>
      <p>KES 1,500</p>
      <Checkout order={createOrder()} />
    </main>
  )
}
