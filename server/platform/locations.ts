/** The location that ships. Every other location is a store's id. */
export const warehouse = 'warehouse';
