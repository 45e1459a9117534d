/** How long a provider may take to answer, ms. After that the answer counts as lost and the outcome is requested again. */
export const providerTimeoutMs = 10_000;
