/** The id of the demo's customer, in a file of its own so that the server can use it without loading the demo's data. */
export const demoCustomerId = 'demo-customer';
