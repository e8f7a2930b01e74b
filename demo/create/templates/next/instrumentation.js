// Next calls register() once when its server starts: the sandbox and the workers of the payment server start here.
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { pay } = await import('./pay.mjs')
    await pay().catch((error) => {
      // Next would go on, answer every page with 500, and print the error for each.
      console.error(error.message)
      process.exit(1)
    })
  }
}
