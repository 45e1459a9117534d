/**
 * A certificate of `secure.example`, signed by itself, for tests of what is asked over TLS. Its key is no
 * secret: nobody trusts it but a test that says so. Good from 2020 to 2120, whatever clock a machine has.
 */
export const secureHost = 'secure.example';

export const cert = `-----BEGIN CERTIFICATE-----
MIIBcDCCARagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5zZWN1cmUu
ZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOc2VjdXJlLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQ7
lEMm0oLkHGPKZQfMn8Jx2G37ME0dMvOSKW6f3CzWFUZ5w9nuekMjCb5xZGHphgV3
6qT0+dpAITP9LTSsO9qfo00wSzAZBgNVHREEEjAQgg5zZWN1cmUuZXhhbXBsZTAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSDlDmNrzzaz9Igw8o7LSwBo36SITAK
BggqhkjOPQQDAgNIADBFAiAM5IO7/k1yRPWFuRWBMJLomvcT6cpVfRx6SjhgqVqQ
VAIhAKzC9kLvZLndFNvA09pSMmw/hmjdebPcpSU7deKfDd3l
-----END CERTIFICATE-----
`;

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgh7b95CTzTNs06ecx
g+WgF5tgumMOKyh3IRI5WOYudOmhRANCAAQ7lEMm0oLkHGPKZQfMn8Jx2G37ME0d
MvOSKW6f3CzWFUZ5w9nuekMjCb5xZGHphgV36qT0+dpAITP9LTSsO9qf
-----END PRIVATE KEY-----
`;
