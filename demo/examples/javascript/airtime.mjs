// Sends airtime to everybody in a list of `phone_number,amount` lines.  node airtime.mjs BONUS-2026-11 list.csv

import { readFileSync } from 'node:fs'
import { finish, follow, send } from './api.mjs'

const [reference, file] = process.argv.slice(2)

// Amounts stay text. The server names each line that it does not like, and sends nothing then.
const recipients = readFileSync(file, 'utf8')
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(','))
  .map(([phone_number, amount]) => ({ phone_number, amount }))

await send('POST', '/airtime', { reference, recipients })

const airtime = await follow(`/airtime/${encodeURIComponent(reference)}`)
const { succeeded, total } = airtime.summary
console.log(`${reference}: ${airtime.outcome}, ${succeeded.count} of ${total.count} have it`)
console.log(`${succeeded.amount} of ${total.amount} sent`)
for (const { phone_number, outcome } of airtime.recipients) {
  if (outcome !== 'succeeded') console.log(`${phone_number}: ${outcome}`)
}
finish(airtime)
