/** Customers: accounts, passwords and addresses. */
export { registerAccountsRoutes } from './accounts.routes.ts';
export { type AccountsService, createAccountsService, type ImportedCustomer } from './accounts.service.ts';
export { normalizeContact, readBillingAddress, resolveAddress } from './address.ts';
export { emailKeyOf } from './customer.ts';
export type { CustomerDesk } from './customer-support.ts';
export { registerGeoRoutes } from './geo/geo.routes.ts';
export { createGeoService, findProvince, type GeoService, offeredProvinces } from './geo/geo.service.ts';
