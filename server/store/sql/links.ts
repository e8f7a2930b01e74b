/** Stores reusable links, and counts the presses of their pages (`rate-limits/presses.ts`). */

import { referenceKey } from '../../contract/comparison-keys.ts'
import { PRESS_LIFETIME_MS, PRESS_LIMITS } from '../../rate-limits/presses.ts'
import { Press, StoredLink } from '../links.ts'
import { ACCOUNT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { LinkStore, NewPress } from '../links.ts'
import type { MerchantAccount } from '../merchant-account.ts'
import type { DatabaseStatements } from './database.ts'
import type { Deps } from './deps.ts'

type LinkStatements = ReturnType<typeof linkStatements> & DatabaseStatements

export function linkStatements({ schema }: Dialect) {
  const links = `${schema}links`
  const presses = `${schema}presses`
  const conditionOf = { link: 'link = $3', network: 'link = $3 AND network = $4' }
  const withinLimits = PRESS_LIMITS.map(({ of, most, windowMs }) => {
    const condition = `${ACCOUNT} AND ${conditionOf[of]} AND at > CAST($5 AS bigint) - ${windowMs}`
    return `(SELECT count(*) FROM ${presses} WHERE ${condition}) < ${most}`
  })
  const columns = 'sequence, id, terms, created_at, closed_at'
  return {
    insertLink: `INSERT INTO ${links} (account, id, terms, created_at) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    findLink: `SELECT ${columns} FROM ${links} WHERE ${ACCOUNT} AND id = $2`,
    listLinks: `SELECT ${columns} FROM ${links} WHERE ${ACCOUNT} AND sequence > $2 ORDER BY sequence LIMIT $3`,
    closeLink: `
      UPDATE ${links} SET closed_at = coalesce(closed_at, $3) WHERE ${ACCOUNT} AND id = $2 RETURNING ${columns}`,
    forgetPresses: `
      DELETE FROM ${presses} WHERE ${ACCOUNT}
        AND (at <= CAST($2 AS bigint) - ${PRESS_LIFETIME_MS} OR at >= CAST($2 AS bigint) + ${PRESS_LIFETIME_MS})`,
    findPress: `SELECT "order", link, choice, personal FROM ${presses} WHERE ${ACCOUNT} AND "order" = $2`,
    // Adds the press of $1 to $7 if it stays within all limits.
    addPress: `
      INSERT INTO ${presses} (account, "order", link, network, at, choice, personal)
      SELECT $1, CAST($2 AS text), $3, $4, $5, CAST($6 AS text), CAST($7 AS text)
      WHERE ${withinLimits.join(' AND ')} RETURNING at`,
  }
}

export function createLinks({ driver, sql, ask, askOne }: Deps<LinkStatements>): LinkStore {
  return {
    async insertLink(account, { id, terms, created_at }) {
      await driver.expectUsable('insert')
      const [row] = await driver.query(sql.insertLink, account, id, JSON.stringify(terms), created_at)
      return StoredLink.parse(row)
    },

    findLink: (account, id) => askOne(StoredLink, sql.findLink, account, id),
    listLinks: (account, after, limit) => ask(StoredLink, sql.listLinks, account, after, limit),
    closeLink: (account, id, at) => askOne(StoredLink, sql.closeLink, account, id, at),

    async press(account, press) {
      await driver.expectUsable('insert')
      return driver.transaction(() => addPress(sql, account, press))
    },

    findPress: (account, order) => askOne(Press, sql.findPress, account, referenceKey(order)),

    async forgetPresses(account, now) {
      await driver.query(sql.forgetPresses, account, now)
    },
  }
}

/** Adds a press, unless its order has one. Returns `false` if it exceeds a limit. */
function* addPress(
  sql: LinkStatements,
  account: MerchantAccount,
  { order, link, network, at, choice, personal }: NewPress,
): Work<boolean> {
  yield [sql.oneByOne]
  yield [sql.forgetPresses, account, at]
  const key = referenceKey(order)
  const pressed = yield [sql.findPress, account, key]
  if (pressed.length > 0) {
    return true
  }

  const added = yield [sql.addPress, account, key, link, network, at, JSON.stringify(choice), personal]
  return added.length > 0
}
