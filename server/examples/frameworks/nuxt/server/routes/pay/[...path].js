export default defineEventHandler(async (event) => (await pay()).fetch(toWebRequest(event)))
