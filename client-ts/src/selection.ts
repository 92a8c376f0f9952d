import type { Client } from "./client.js";
import type { Input, ListPaths, Operation, PageOf, PathsWith, ReadInput, RecordOf, Result } from "./types.js";

type Picked<R, F extends string> = R extends object ? Pick<R, F & keyof R> : R;
/** A record with these fields, or a page of such records. */
type Only<T, F extends string> = T extends { data: (infer R)[]; meta: unknown }
  ? Omit<T, "data"> & { data: Picked<R, F>[] }
  : Picked<T, F>;

/** Reads whose records have only some fields: `client.only("id", "total").list("/orders")`. */
export class Selection<F extends string> {
  readonly #client: Client;
  readonly #fields: string;

  constructor(client: Client, fields: F[]) {
    this.#client = client;
    this.#fields = fields.join(",");
  }

  get<P extends PathsWith<"get">>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): Promise<Only<Result<Operation<P, "get">>, F>> {
    return this.#client.get(path, this.#with(input)) as Promise<Only<Result<Operation<P, "get">>, F>>;
  }

  list<P extends ListPaths>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): AsyncGenerator<Picked<RecordOf<P>, F>, void, undefined> {
    return this.#client.list(path, this.#with(input)) as AsyncGenerator<Picked<RecordOf<P>, F>, void, undefined>;
  }

  pages<P extends ListPaths>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): AsyncGenerator<Only<PageOf<P>, F>, void, undefined> {
    return this.#client.pages(path, this.#with(input)) as AsyncGenerator<Only<PageOf<P>, F>, void, undefined>;
  }

  #with(input: object | undefined): never {
    const query = input && "query" in input ? input.query : {};
    return { ...input, query: { ...(query as object), fields: this.#fields } } as never;
  }
}
