// `npm run picture` draws the README's picture from the built demo.
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/picture/picture.ts', { configFile: false, logLevel: 'error' })
await module.draw()
