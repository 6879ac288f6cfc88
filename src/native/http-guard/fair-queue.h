// Queue of the connections with incoming data. It decides which connection is served next, by start-time fair queueing
// of processor time: first among the clients, then among the connections of the chosen client. A new connection starts
// at the virtual time of the connection that was served last, so it is served before all that have used more time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * A member of a fair queue: a client or a connection. `start` is the virtual time in nanoseconds at which its service
 * starts. `finish` is `start` plus the time that its last service has taken, and the earliest start of the next one.
 */
struct Fair {
  uint64_t start = 0;
  uint64_t finish = 0;
  /** Sequence number in the order in which members were queued. It decides between members with the same `start`. */
  uint64_t order = 0;
  bool isQueued = false;
};

template <typename Member>
class FairHeap {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }

  void push(Member *member) {
    member->start = std::max(member->finish, nowNs_);
    member->order = ordered_++;
    member->isQueued = true;
    heap_.push_back(member);
    std::push_heap(heap_.begin(), heap_.end(), isLater);
  }

  /** Removes and returns the member with the earliest start time. */
  Member *pop() {
    std::pop_heap(heap_.begin(), heap_.end(), isLater);
    Member *member = heap_.back();
    heap_.pop_back();
    member->isQueued = false;
    nowNs_ = member->start;
    return member;
  }

  void remove(Member *member) {
    if (!member->isQueued) return;
    member->isQueued = false;
    heap_.erase(std::find(heap_.begin(), heap_.end(), member));
    std::make_heap(heap_.begin(), heap_.end(), isLater);
  }

 private:
  std::vector<Member *> heap_;
  /** Virtual start time of the member that was served last. */
  uint64_t nowNs_ = 0;
  uint64_t ordered_ = 0;

  static bool isLater(const Member *one, const Member *other) {
    return one->start != other->start ? one->start > other->start : one->order > other->order;
  }
};

/** A client: an IP address, or for IPv6 a /64 network. All connections over Unix sockets are one client. */
template <typename Connection>
struct Client : Fair {
  /** A unique number above zero. */
  uint32_t id = 0;
  FairHeap<Connection> waiting;
  size_t connections = 0;
};

template <typename Connection>
class FairQueue {
 public:
  using Owner = Client<Connection>;

  bool empty() const { return clients_.empty(); }
  /** True if more than one connection is waiting. */
  bool hasSeveral() const { return waiting_ > 1; }

  /** Registers a new connection from this address; returns its client. */
  Owner *enter(const std::string &address) {
    Owner *client = &byAddress_[address];
    if (client->id == 0) client->id = ++lastId_;
    client->connections++;
    return client;
  }

  /** Removes a connection, also from the queue. Removes its client as well if it has no other connection. */
  void leave(const std::string &address, Connection *connection) {
    const auto found = byAddress_.find(address);
    Owner *client = &found->second;
    if (connection->isQueued) waiting_--;
    client->waiting.remove(connection);
    if (client->waiting.empty()) clients_.remove(client);
    if (--client->connections > 0) return;
    if (served_ == client) served_ = nullptr;
    byAddress_.erase(found);
  }

  void add(Connection *connection) {
    Owner *client = connection->client;
    client->waiting.push(connection);
    waiting_++;
    if (!client->isQueued && client != served_) clients_.push(client);
  }

  /**
   * Removes and returns the connection to serve next; nullptr if none is waiting. `charge` must be called after it was
   * served.
   */
  Connection *next() {
    if (clients_.empty()) return nullptr;
    served_ = clients_.pop();
    waiting_--;
    return served_->waiting.pop();
  }

  /**
   * Charges the connection that `next` has returned last, and its client, for the time that serving it has taken.
   * `connection` is null if it was closed in the meantime.
   */
  void charge(Connection *connection, uint64_t usedNs) {
    if (connection != nullptr) connection->finish = connection->start + usedNs;
    Owner *client = served_;
    served_ = nullptr;
    if (client == nullptr) return;
    client->finish = client->start + usedNs;
    if (!client->waiting.empty()) clients_.push(client);
  }

 private:
  std::unordered_map<std::string, Owner> byAddress_;
  uint32_t lastId_ = 0;
  FairHeap<Owner> clients_;
  /** The client whose connection is being served. It is not in the queue until `charge` is called. */
  Owner *served_ = nullptr;
  /** Number of waiting connections. */
  size_t waiting_ = 0;
};
