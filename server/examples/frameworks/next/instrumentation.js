// Next calls register() once when its server starts, before the first request: the workers start here.
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await (await import('./pay.js')).pay()
}
