// Sends airtime to the recipients in a file with `phone_number,amount` lines.  node airtime.mjs BONUS-2026-11 list.csv

import { readFileSync } from 'node:fs'

import { finish, follow, send } from './api.mjs'

const [reference, file] = process.argv.slice(2)

// Amounts stay text. If a line is invalid, the server names the line and sends no airtime at all.
const recipients = readFileSync(file, 'utf8')
  .trim()
  .split(/\r?\n/)
  .map((line) => {
    const [phone_number, amount] = line.split(',')
    return { phone_number, amount }
  })

await send('POST', '/airtime', { reference, recipients })

const airtime = await follow(`/airtime/${encodeURIComponent(reference)}`)
const { succeeded, total } = airtime.summary
console.log(`${reference}: ${airtime.outcome}, ${succeeded.count} of ${total.count} have it`)
console.log(`${succeeded.amount} of ${total.amount} sent`)
for (const { phone_number, outcome } of airtime.recipients) {
  if (outcome !== 'succeeded') {
    console.log(`${phone_number}: ${outcome}`)
  }
}

finish(airtime)
