// Node loads the payment server and its SQLite driver: a bundle cannot carry the driver's native build.
export default { serverExternalPackages: ['gateway-checkout-server'] }
