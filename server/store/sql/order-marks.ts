/** Stores the mark of the newest signed order of each reference. */

import { referenceKey } from '../../contract/comparison-keys.ts'
import { OrderMark } from '../order-marks.ts'
import { ACCOUNT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { OrderMarkStore } from '../order-marks.ts'
import type { Deps } from './deps.ts'

export function orderMarkStatements({ schema }: Dialect) {
  return {
    markOrder: `
      INSERT INTO ${schema}order_marks AS known (account, "order", issued_at, digest) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account, "order") DO UPDATE SET issued_at = excluded.issued_at, digest = excluded.digest
        WHERE known.issued_at < excluded.issued_at RETURNING issued_at, digest`,
    findOrderMark: `SELECT issued_at, digest FROM ${schema}order_marks WHERE ${ACCOUNT} AND "order" = $2`,
  }
}

export function createOrderMarks({
  driver,
  sql,
}: Deps<ReturnType<typeof orderMarkStatements>>): OrderMarkStore {
  return {
    async markOrder(account, order, { issued_at, digest }) {
      const key = referenceKey(order)
      const [marked] = await driver.query(sql.markOrder, account, key, issued_at, digest)
      if (marked !== undefined) {
        return OrderMark.parse(marked)
      }

      const [newer] = await driver.query(sql.findOrderMark, account, key)
      return OrderMark.parse(newer)
    },
  }
}
