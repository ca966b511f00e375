// SPDX-License-Identifier: Apache-2.0
#include "mcp/http.h"

#include <charconv>
#include <csignal>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/posix.h"
#include "mcp/http_connection.h"
#include "mcp/http_endpoint.h"

namespace loci::mcp {
namespace {

using Clock = std::chrono::steady_clock;

struct Listener {
  Descriptor socket;
  uint16_t port = 0;
};

Result<Listener> Listen(uint16_t port) {
  const std::string place = fmt::format("127.0.0.1:{}", port);
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return SystemError("listen at", place, errno);
  const int on = 1;  // a server that is started again does not wait for its old connections
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t length = sizeof address;
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    Error error = SystemError("listen at", place, errno);
    if (errno == EADDRINUSE) error.message += "; another port, or 0 for any that is free";
    return error;
  }
  return Listener{std::move(socket), ntohs(address.sin_port)};
}

// Signals are for the thread that accepts: it waits for them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

std::optional<uint64_t> LastEvent(const HttpRequest& request) {
  const std::string* const text = request.Field("last-event-id");
  uint64_t id = 0;
  if (text == nullptr) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), id);
  // One that is not ours is that of no event: all that is kept comes after it.
  return error == std::errc() && end == text->data() + text->size() ? id : 0;
}

class Server {
 public:
  Server(const ServerOptions& options, const HttpOptions& http)
      : limits_(http.limits), sessions_(options, limits_), endpoint_(http.token, &sessions_) {}

  void Run(const Listener& listener, const std::atomic<bool>* interrupt);

 private:
  struct Peer {
    std::unique_ptr<HttpConnection> connection;
    std::thread thread;
    std::atomic<bool> done{false};
  };

  void Admit(Descriptor socket);
  void Reap();
  void Stop();
  void Serve(HttpConnection* connection);
  bool ServeOne(HttpConnection* connection);
  void Stream(const HttpRequest& request, HttpConnection* connection);

  const HttpLimits& limits_;
  HttpSessions sessions_;
  HttpEndpoint endpoint_;
  std::atomic<uint64_t> bodies_{0};
  std::atomic<bool> stopping_{false};
  std::list<Peer> peers_;  // of the accepting thread
};

void Server::Reap() {
  peers_.remove_if([](Peer& peer) {
    if (!peer.done.load(std::memory_order_acquire)) return false;
    peer.thread.join();
    return true;
  });
}

void Server::Admit(Descriptor socket) {
  Reap();
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  auto connection = std::make_unique<HttpConnection>(std::move(socket), limits_, &bodies_);
  if (peers_.size() < limits_.connections) {
    Peer& peer = peers_.emplace_back();
    peer.connection = std::move(connection);
    try {
      const SignalsBlocked blocked;
      peer.thread = std::thread([this, &peer] {
        Serve(peer.connection.get());
        peer.done.store(true, std::memory_order_release);
      });
      return;
    } catch (const std::system_error&) {  // the system has no more threads
      connection = std::move(peer.connection);
      peers_.pop_back();
    }
  }
  // Into a socket's empty buffer: this does not wait.
  connection->WriteReply(HttpEndpoint::Refuse(503, "too many connections", "Retry-After: 10\r\n"),
                         false);
}

void Server::Serve(HttpConnection* connection) {
  try {
    while (!stopping_ && ServeOne(connection)) {
    }
  } catch (const std::exception&) {  // no memory: this client's connection ends, nobody else's
  }
  ::shutdown(connection->socket(), SHUT_RDWR);  // seen at once; closed when the thread is joined
}

// Whether the connection serves another.
bool Server::ServeOne(HttpConnection* connection) {
  HttpRequest request;
  std::optional<HttpFault> fault;
  if (!connection->ReadHead(&request, &fault)) return false;
  std::optional<HttpReply> refused;
  if (!fault) refused = endpoint_.Check(request);
  if (refused && !request.has_body()) {
    return connection->WriteReply(*refused, request.keep_alive) && request.keep_alive;
  }
  if (!fault && !refused && request.method == "GET" && !request.has_body()) {
    Stream(request, connection);
    return false;
  }
  std::string body;
  if (!fault && !refused) fault = connection->ReadBody(request, &body);
  if (fault) {
    refused = HttpEndpoint::Refuse(fault->status, fault->what);
    std::string().swap(body);  // others need the place, and this client may take its time
    connection->DropBody();
  }
  if (refused) {
    if (connection->WriteReply(*refused, false)) connection->Linger();
    return false;
  }
  const HttpReply reply = endpoint_.Answer(request, body);
  connection->DropBody();
  return connection->WriteReply(reply, request.keep_alive) && request.keep_alive;
}

void Server::Stream(const HttpRequest& request, HttpConnection* connection) {
  HttpReply refused;
  const auto session = endpoint_.FindStream(request, &refused);
  if (session == nullptr) {
    connection->WriteReply(refused, false);
    return;
  }
  auto opened = session->events.Open(LastEvent(request));
  if (!opened.ok()) {
    connection->WriteReply(HttpEndpoint::Refuse(503, opened.error().message), false);
    return;
  }
  // Its length is not known: the end of the connection is its end, in every version of HTTP.
  if (!connection->Write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                         "Cache-Control: no-store\r\nConnection: close\r\n\r\nretry: 1000\n\n")) {
    return;
  }
  for (;;) {
    pollfd waiting[] = {{connection->socket(), POLLIN, 0}, {(*opened)->wake(), POLLIN, 0}};
    const int ready =
        Retry([&] { return ::poll(waiting, 2, static_cast<int>(limits_.keep_alive.count())); });
    // Whatever the client sends on a stream, its end among it, ends the stream.
    if (ready < 0 || waiting[0].revents != 0) break;
    const auto text = session->events.Take(opened->get());
    if (!text) break;
    if (!connection->Write(ready == 0 ? std::string_view(": keep-alive\n\n") : *text)) break;
  }
  session->Touch();
}

void Server::Stop() {
  stopping_ = true;
  sessions_.EndAll();
  for (Peer& peer : peers_) ::shutdown(peer.connection->socket(), SHUT_RD);
  for (Peer& peer : peers_) peer.thread.join();
  peers_.clear();
}

void Server::Run(const Listener& listener, const std::atomic<bool>* interrupt) {
  // A signal ends poll, unless it comes just before; then the next look is a fifth of a second
  // later.
  constexpr int kLookMillis = 200;
  while (interrupt == nullptr || !interrupt->load(std::memory_order_relaxed)) {
    pollfd waiting{listener.socket.get(), POLLIN, 0};
    if (::poll(&waiting, 1, kLookMillis) <= 0) {
      Reap();
      continue;
    }
    Descriptor socket(::accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.valid()) {
      Admit(std::move(socket));
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // until others end
    }
  }
  Stop();
}

}  // namespace

Result<void> ServeHttp(const ServerOptions& options, const HttpOptions& http,
                       const std::atomic<bool>* interrupt,
                       const std::function<void(const std::string& url)>& ready) {
  LOCI_ASSIGN(const Listener listener, Listen(http.port));
  Server server(options, http);
  if (ready) ready(fmt::format("http://127.0.0.1:{}/mcp", listener.port));
  server.Run(listener, interrupt);
  return {};
}

}  // namespace loci::mcp
