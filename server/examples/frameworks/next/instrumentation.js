// Next calls register() once when its server starts, before the first request: the workers start here.
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { pay } = await import('./pay.js')
    await pay().catch((error) => {
      // Next would go on, answer every page with 500, and print the error for each.
      console.error(error.message)
      process.exit(1)
    })
  }
}
