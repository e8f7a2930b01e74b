import { redirect } from 'next/navigation'

import { createOrder } from '../orders.mjs'

// The order is made once, when the shopper presses the button. Its own page can be reloaded, and the shopper returns to it.
async function order() {
  'use server'
  redirect(`/order/${createOrder()}`)
}

export default function Page() {
  return (
    <main>
      <h1>Two kangas</h1>
      <p>KES 1,500</p>
      <form action={order}>
        <button>Order</button>
      </form>
    </main>
  )
}
