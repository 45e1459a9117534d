export { exemptionsOf } from './accounts.repository.ts';
export type { AccountsService, ImportedCustomer } from './accounts.service.ts';
export type { GeoService } from './address.ts';
export { normalizeContact, type ResolvedAddress, readBillingAddress, resolveAddress } from './address.ts';
export { isFrequentPassword } from './common-passwords.ts';
export type { CustomerImportData, CustomerOrderData } from './customer-data.ts';
export type { CustomerDesk } from './customer-support.ts';
export type {
  CustomerPlan,
  FoundCustomer,
  ImportedCustomers,
  WrittenCustomer,
} from './imported-customers.ts';
export type { CustomersExport, ListedCustomer } from './office-customers.ts';
export { createPasswords, type Passwords } from './passwords.ts';
