// The workers start with the server, before the first request.
export default defineNitroPlugin((nitro) => {
  const starting = pay()
  nitro.hooks.hook('close', async () => (await starting).stop())
})
