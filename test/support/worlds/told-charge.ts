import { createChargeWorld, createToldGateway } from './charge-world.ts'

import type { ToldPayment } from './charge-world.ts'
import type { WorldOptions } from './world.ts'

/** A charge that is paid on a page, and a gateway that says of it what it is told to. */
export async function toldCharge(options: WorldOptions = {}) {
  const told = createToldGateway()
  const shop = await createChargeWorld({ ...options, gateway: told.answer })
  await shop.charge({ payment_method_code: undefined })
  return { told, shop }
}

/** An order of 500 that is paid on a page, and a gateway that says of it what it is told to. */
export async function toldOrder() {
  const told = createToldGateway()
  const shop = await createChargeWorld({ gateway: told.answer })
  shop.order('A-1', '500')
  const begun = await shop.start('A-1')
  const { merchant_transaction_id } = begun
  return {
    shop,
    /** The gateway reports, and calls back. */
    hears: async (status: number, payments: readonly ToldPayment[], total?: string | null) => {
      told.says(status, payments, merchant_transaction_id, total)
      await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' })
      await shop.later(60_000)
    },
    outcome: async () => (await shop.rows())[0]?.outcome,
  }
}
