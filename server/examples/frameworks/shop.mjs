// Replace these two functions with yours: the price of an order, and what happens when it is paid.

export async function findOrder(reference) {
  return { order: reference, amount: '1500', currency: 'KES', narration: 'Two kangas' }
}

export async function fulfil({ id, type, data }) {
  if (type === 'checkout.paid') console.log(`fulfil ${data.order} (${id})`)
}
