import { Suspense } from 'react'
import { notFound } from 'next/navigation'
import { findOrder } from '../../../orders.js'
import { Checkout } from './checkout.jsx'

// The page of one order. It can be reloaded, and the shopper returns to it after paying.
export default function Page({ params }) {
  return (
    <main>
      <h1>Two kangas</h1>
      <Suspense>
        <Order params={params} />
      </Suspense>
    </main>
  )
}

async function Order({ params }) {
  const { order } = await params
  return findOrder(order) ? <Checkout order={order} /> : notFound()
}
