/** The id of the demo's customer. A file of its own, so that the server knows it without loading the demo's data. */
export const demoCustomerId = 'demo-customer';
