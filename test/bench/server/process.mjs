// A process of the benchmark: `node process.mjs MODULE`. Calls the module's exports as the parent asks for them.
import { runnerImport } from 'vite'

// The published server is loaded as it is, not through Vite.
globalThis.published = () => import('../../../server/dist/index.js')
const { module } = await runnerImport(process.argv[2], { configFile: false, logLevel: 'error' })

process.on('message', ({ id, name, args }) => {
  const answer = async () => module[name](...args)
  answer().then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: error.stack }),
  )
})
process.on('disconnect', () => process.exit())
process.send('ready')
