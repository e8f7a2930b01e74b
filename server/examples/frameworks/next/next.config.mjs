export default {
  // Node loads the payment server and its SQLite driver: a bundle cannot carry the driver's native build.
  serverExternalPackages: ['gateway-checkout-server'],
  // "next dev" serves its own scripts to localhost only.
  allowedDevOrigins: ['127.0.0.1'],
}
