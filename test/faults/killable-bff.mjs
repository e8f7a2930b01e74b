// Runs a BFF that prints its steps, and kills itself with SIGKILL at the step `DIE_AT`.
// A step is the moment before or after a store write or an HTTP request.
import { serve } from '@hono/node-server'
import { createApp, openStore, readConfig } from 'gateway-checkout-server'

const { DIE_AT, EPOCH, SPEED, STORE_URL } = process.env
const epoch = Number(EPOCH)
const speed = Number(SPEED)
const counts = new Map()

function step(name) {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  const label = `${name} #${count}`
  process.stdout.write(`step ${label}\n`)
  if (label === DIE_AT) {
    process.kill(process.pid, 'SIGKILL')
  }
}

const clock = {
  now: () => Math.floor(epoch + (Date.now() - epoch) * speed),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        return reject(signal.reason)
      }

      const timer = setTimeout(resolve, ms / speed)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}

const writes = ['insert', 'commit', 'finishEvent', 'finishNotice', 'press']
const claims = ['claimTransactions', 'claimEvents', 'claimNotices']
const store = new Proxy(openStore(STORE_URL), {
  get(target, name) {
    const value = target[name]
    if (typeof value !== 'function') {
      return value
    }
    if (writes.includes(name)) {
      return async (...args) => {
        step(`before store.${String(name)}`)
        const result = await value.apply(target, args)
        step(`after store.${String(name)}`)
        return result
      }
    }
    if (claims.includes(name)) {
      return async (...args) => {
        const claimed = await value.apply(target, args)
        if (claimed.length > 0) {
          step(`after store.${String(name)}`)
        }
        return claimed
      }
    }
    return value.bind(target)
  },
})

async function countedFetch(url, init) {
  const name = `${init.method} ${new URL(url).pathname.replace(/[\w-]{36}(?=$|\/status$)/, '{id}')}`
  step(`before ${name}`)
  const answer = await fetch(url, init)
  step(`after ${name}`)
  return answer
}

const orders = (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' })
const app = createApp({ config: readConfig(process.env), store, fetch: countedFetch, clock, orders })
void app.work(new AbortController().signal)
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) }, () =>
  process.stdout.write('listening\n'),
)
