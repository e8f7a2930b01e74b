// Runs in a child process: `node process.mjs MODULE`. The parent process calls the module's exports by messages.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const module = await import(pathToFileURL(resolve(process.argv[2])).href)

process.on('message', ({ id, name, args }) => {
  const answer = async () => module[name](...args)
  answer().then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: error.stack }),
  )
})
process.on('disconnect', () => process.exit())
process.send('ready')
