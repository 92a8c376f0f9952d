import type { paths } from "./schema.js";
import { Selection } from "./selection.js";
import { type Answered, type ApiRequest, type Options, Session } from "./session.js";
import type {
  Answer,
  AnyInputOf,
  CallOptions,
  Input,
  ListPaths,
  Method,
  Operation,
  PageOf,
  PathsWith,
  ReadInput,
  RecordOf,
  Result,
  Schemas,
  WriteInput,
  WriteOptions,
} from "./types.js";

/** A client of the Open API. Paths, parameters, bodies and results have the types of the published description. */
export class Client {
  readonly #session: Session;

  constructor(options: Options) {
    this.#session = new Session(options);
  }

  /** One record, or one page of a list. */
  get<P extends PathsWith<"get">>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): Promise<Result<Operation<P, "get">>> {
    return this.#call("get", path, input) as Promise<Result<Operation<P, "get">>>;
  }

  /** Every record of a list, with one request for each page: `for await (const order of client.list("/orders"))`. */
  async *list<P extends ListPaths>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): AsyncGenerator<RecordOf<P>, void, undefined> {
    const seen = new Set<unknown>(); // a new record moves older ones to the next page, where they would come again
    for await (const page of this.#pages<P>(path, input)) {
      for (const record of page.data as RecordOf<P>[]) {
        const id = (record as { id?: unknown }).id;
        if (id === undefined || !seen.has(id)) yield record;
        seen.add(id);
      }
    }
  }

  /** The pages of a list, with `meta.total`. */
  pages<P extends ListPaths>(
    path: P,
    ...[input]: Input<ReadInput<Operation<P, "get">>>
  ): AsyncGenerator<PageOf<P>, void, undefined> {
    return this.#pages<P>(path, input);
  }

  /** The same reads, whose records have only these fields: `client.only("id", "total").list("/orders")`. */
  only<const F extends string>(...fields: F[]): Selection<F> {
    return new Selection(this, fields);
  }

  post<P extends PathsWith<"post">>(
    path: P,
    ...[input]: Input<WriteInput<Operation<P, "post">>>
  ): Promise<Result<Operation<P, "post">>> {
    return this.#write("post", path, input) as Promise<Result<Operation<P, "post">>>;
  }

  patch<P extends PathsWith<"patch">>(
    path: P,
    ...[input]: Input<WriteInput<Operation<P, "patch">>>
  ): Promise<Result<Operation<P, "patch">>> {
    return this.#write("patch", path, input) as Promise<Result<Operation<P, "patch">>>;
  }

  put<P extends PathsWith<"put">>(
    path: P,
    ...[input]: Input<WriteInput<Operation<P, "put">>>
  ): Promise<Result<Operation<P, "put">>> {
    return this.#write("put", path, input) as Promise<Result<Operation<P, "put">>>;
  }

  delete<P extends PathsWith<"delete">>(
    path: P,
    ...[input]: Input<WriteInput<Operation<P, "delete">>>
  ): Promise<Result<Operation<P, "delete">>> {
    return this.#write("delete", path, input) as Promise<Result<Operation<P, "delete">>>;
  }

  /** Any call, with status, headers and the whole body: `data`, and `dry_run` of a dry run. */
  async request<M extends Method, P extends PathsWith<M>>(
    method: M,
    path: P,
    ...[input]: Input<AnyInputOf<M, Operation<P, M>>>
  ): Promise<Answered<Answer<Operation<P, M>>>> {
    const request = method === "get" ? built(method, path, input as AnyInput) : writing(method, path, input);
    return this.#session.send(request) as Promise<Answered<Answer<Operation<P, M>>>>;
  }

  /** The records of an export that is done, while they arrive: `for await (const { resource, record } of …)`. */
  records(exportId: string, options: CallOptions = {}): AsyncGenerator<Schemas["ExportedRecord"], void, undefined> {
    const request = built("get", "/exports/{id}/records", { ...options, path: { id: exportId } });
    return this.#session.lines(request) as AsyncGenerator<Schemas["ExportedRecord"], void, undefined>;
  }

  async *#pages<P extends ListPaths>(path: P, input: unknown): AsyncGenerator<PageOf<P>, void, undefined> {
    const request = built("get", path, input as AnyInput);
    let query: Record<string, unknown> | null = { per_page: 100, ...request.query };
    while (query !== null) {
      const page = (await this.#session.send({ ...request, query })).body as PageOf<P>;
      yield page;
      // The server says what comes next. Only its parameters are used, so the token never goes to another address.
      query = page.links.next === null ? null : Object.fromEntries(new URL(page.links.next).searchParams);
    }
  }

  async #write(method: Method, path: keyof paths, input: unknown): Promise<unknown> {
    return this.#send(writing(method, path, input));
  }

  async #call(method: Method, path: keyof paths, input: unknown): Promise<unknown> {
    return this.#send(built(method, path, input as AnyInput));
  }

  async #send(request: ApiRequest): Promise<unknown> {
    const answer = (await this.#session.send(request)).body;
    const hasEnvelope = typeof answer === "object" && answer !== null && "data" in answer && !("meta" in answer);
    return hasEnvelope ? answer.data : answer;
  }
}

type AnyInput =
  | (CallOptions & { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown })
  | undefined;

function writing(method: Method, path: string, input: unknown): ApiRequest {
  const given = (input ?? {}) as AnyInput & WriteOptions;
  const headers: Record<string, string> = {
    ...given.headers,
    "idempotency-key": given.idempotencyKey ?? crypto.randomUUID(),
  };
  if (given.dryRun) headers["frontdesk-dry-run"] = "true";
  return built(method, path, { ...given, headers });
}

function built(method: Method, template: string, input: AnyInput): ApiRequest {
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = input?.path?.[name];
    if (value === undefined || value === null || value === "") throw new TypeError(`${template} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  return { method, path, query: input?.query, body: input?.body, headers: input?.headers, signal: input?.signal };
}
