// Replace these two functions with yours: the price of an order, and what happens when it is paid.

export async function findOrder(reference) {
  return { order: reference, amount: '1500', currency: 'KES', narration: 'Two kangas' }
}

// Events may arrive again, also after a restart: mark the order as paid in your database, and do nothing if it is marked.
export async function fulfil({ id, type, data }) {
  if (type === 'checkout.paid' || type === 'checkout.paid_late') console.log(`fulfil ${data.order} (${id})`)
}
