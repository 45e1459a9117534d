/** Sends queries straight to a connection. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type DialectAdapter,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';

type Options = Parameters<DefaultQueryExecutor['executeQuery']>[1];

/**
 * Kysely's own executor wraps each query in further promises, for plugins and for cancelling, which nothing here uses: a tenth of
 * what an add to a cart allocates.
 */
export class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection;

  constructor(compiler: QueryCompiler, adapter: DialectAdapter, connection: DatabaseConnection) {
    super(compiler, adapter, { provideConnection: (consumer) => consumer(connection) });
    this.#connection = connection;
  }

  override executeQuery<R>(query: CompiledQuery, options?: Options): Promise<QueryResult<R>> {
    return options?.signal ? super.executeQuery<R>(query, options) : this.#connection.executeQuery<R>(query);
  }
}
