// Next calls register() once when its server starts: the sandbox and the workers of the payment server start here.
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await (await import('./pay.mjs')).pay()
}
